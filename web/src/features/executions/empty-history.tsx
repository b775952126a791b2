import { Button, Empty } from 'antd'
import { paths } from '../../shared/paths.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { texts } from './texts.ts'
import { useFilters } from './use-filters.ts'

/** Why there is nothing to see: the page is behind the last one, nothing arrived yet, or nothing fits the filters. */
export function EmptyHistory() {
  const { filter, offset, setOffset, clear } = useFilters()
  if (offset > 0) return <BehindTheEnd onReturn={() => setOffset(0)} />
  if (Object.keys(filter).length === 0) return <NothingYet />
  return (
    <Empty image={null} description={texts.noMatch}>
      <Button size="small" onClick={clear}>
        {texts.filters.clear}
      </Button>
    </Empty>
  )
}

function BehindTheEnd({ onReturn }: { onReturn: () => void }) {
  return (
    <Empty image={null} description={texts.behindTheEnd}>
      <Button size="small" onClick={onReturn}>
        ‹ {texts.pager.first}
      </Button>
    </Empty>
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
        <LinkButton size="small" to={paths.webhook}>
          {none.webhook}
        </LinkButton>
        <LinkButton size="small" to={paths.terminal}>
          {none.terminal}
        </LinkButton>
      </p>
    </div>
  )
}
