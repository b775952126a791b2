import { Link } from 'react-router-dom'
import { paths } from '../../shared/paths.ts'
import { texts } from './texts.ts'
import { useFilters } from './use-filters.ts'

/** Why there is nothing to see: nothing arrived yet, or nothing fits the filters. */
export function EmptyHistory() {
  const { filter, clear } = useFilters()
  if (Object.keys(filter).length === 0) return <NothingYet />
  return (
    <div className="empty-history">
      <p>{texts.noMatch}</p>
      <button type="button" className="action" onClick={clear}>
        {texts.filters.clear}
      </button>
    </div>
  )
}

function NothingYet() {
  const { none } = texts
  return (
    <div className="empty-history">
      <h2>{none.title}</h2>
      <p className="quiet">{none.lead}</p>
      <ol>
        {none.causes.map((cause) => (
          <li key={cause}>{cause}</li>
        ))}
      </ol>
      <p className="execution-actions">
        <Link className="action" to={paths.webhook}>
          {none.webhook}
        </Link>
        <Link className="action" to={paths.terminal}>
          {none.terminal}
        </Link>
      </p>
    </div>
  )
}
