import { Button } from 'antd'
import { pageSize } from './execution-filter.ts'
import { texts } from './texts.ts'
import { useFilters } from './use-filters.ts'

interface PagerProps {
  shown: number
  total: number
  hasMore: boolean
}

/** Steps to newer and older executions. */
export function Pager({ shown, total, hasMore }: PagerProps) {
  const { offset, setOffset } = useFilters()
  const go = (to: number) => {
    setOffset(to)
    scrollTo({ top: 0 })
  }
  return (
    <nav className="pager" aria-label={texts.pager.label}>
      <Button size="small" disabled={offset === 0} onClick={() => go(Math.max(0, offset - pageSize))}>
        ‹ {texts.pager.newer}
      </Button>
      <span className="quiet">{texts.pager.range(Math.min(offset + 1, total), offset + shown, total)}</span>
      <Button size="small" disabled={!hasMore} onClick={() => go(offset + pageSize)}>
        {texts.pager.older} ›
      </Button>
    </nav>
  )
}
