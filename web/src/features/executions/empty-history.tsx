import { Link } from 'react-router-dom'
import { paths } from '../../shared/paths.ts'
import { texts } from './texts.ts'
import { useFilters } from './use-filters.ts'

/** Why there is nothing to see: the page is behind the last one, nothing arrived yet, or nothing fits the filters. */
export function EmptyHistory() {
  const { filter, offset, setOffset, clear } = useFilters()
  if (offset > 0) return <BehindTheEnd onReturn={() => setOffset(0)} />
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

function BehindTheEnd({ onReturn }: { onReturn: () => void }) {
  return (
    <div className="empty-history">
      <p>{texts.behindTheEnd}</p>
      <button type="button" className="action" onClick={onReturn}>
        ‹ {texts.pager.first}
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
