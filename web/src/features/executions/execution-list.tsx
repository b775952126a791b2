import { Button, Flex } from 'antd'
import { useCallback, useEffect, useRef } from 'react'
import { failureText } from '../../shared/failure.ts'
import { useHasCards } from '../../shared/use-media.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { useToast } from '../../ui/toast.ts'
import { useCopy } from '../../ui/use-copy.ts'
import type { Shown } from './arrivals.ts'
import { EmptyHistory } from './empty-history.tsx'
import { jsonOf } from './execution-actions.tsx'
import { ExecutionCards } from './execution-cards.tsx'
import { pageSize } from './execution-filter.ts'
import { ExecutionTable } from './execution-table.tsx'
import { ListHead } from './list-head.tsx'
import { SkeletonRows } from './skeleton-rows.tsx'
import { Sums } from './sums.tsx'
import { texts } from './texts.ts'
import { useExecutions, useIsScrolled } from './use-executions.ts'
import { useFilters } from './use-filters.ts'
import { type OpenRows, useOpenRows } from './use-open-rows.ts'
import { useRowKeys } from './use-row-keys.ts'

/** The executions that the filters choose, page by page, kept up to date without moving what is being read. */
export function ExecutionList() {
  const { filter, sort, offset } = useFilters()
  const open = useOpenRows()
  const { shown, showNewest, isPolling, error, retry, isChanging } = useExecutions({
    filter,
    sort,
    offset,
    isScrolled: useIsScrolled(),
    openIds: open.ids,
  })
  const openAll = open.toggleAll
  const toggleAll = useCallback(() => openAll(shown?.executions.map(({ id }) => id) ?? []), [openAll, shown])
  const list = useListKeys(shown, toggleAll)
  useLoadFailure(error)
  return (
    <>
      <ListHead
        shown={shown}
        openIds={open.ids}
        isPolling={isPolling}
        isFailed={error !== undefined}
        onToggleAll={toggleAll}
      />
      <Sums />
      {error !== undefined && (
        <LoadFailure title={texts.loadFailure} error={error} onRetry={() => void retry()} />
      )}
      {shown !== undefined && shown.waiting > 0 && <NewOnes shown={shown} onShow={showNewest} />}
      <div ref={list} className="execution-list" aria-busy={isChanging}>
        <Rows shown={shown} open={open} isFailed={error !== undefined} />
      </div>
    </>
  )
}

function Rows({ shown, open, isFailed }: { shown: Shown | undefined; open: OpenRows; isFailed: boolean }) {
  const List = useHasCards() ? ExecutionCards : ExecutionTable
  if (shown === undefined) return isFailed ? null : <SkeletonRows count={8} />
  const { executions, total, has_more } = shown
  if (executions.length === 0) return <EmptyHistory />
  return (
    <>
      <List executions={executions} openIds={open.ids} onToggle={open.toggle} />
      <Pager shown={executions.length} total={total} hasMore={has_more} />
    </>
  )
}

function NewOnes({ shown, onShow }: { shown: Shown; onShow: () => void }) {
  return (
    <Button
      type="primary"
      shape="round"
      className="new-ones"
      onClick={() => {
        onShow()
        scrollTo({ top: 0 })
      }}
    >
      ↑ {texts.newOnes(shown.waiting, shown.isMoreWaiting)}
    </Button>
  )
}

function useListKeys(shown: Shown | undefined, onToggleAll: () => void) {
  const list = useRef<HTMLDivElement>(null)
  const copy = useCopy()
  const onCopy = useCallback(
    (id: string) => {
      const execution = shown?.executions.find((one) => one.id === id)
      if (execution) void copy(jsonOf(execution))
    },
    [shown, copy],
  )
  useRowKeys(list, { onToggleAll, onCopy })
  return list
}

function useLoadFailure(error: unknown): void {
  const toast = useToast()
  const description = error === undefined ? undefined : failureText(error)
  useEffect(() => {
    if (description !== undefined) toast.error({ title: texts.loadFailure, description, key: 'executions' })
  }, [description, toast])
}

interface PagerProps {
  shown: number
  total: number
  hasMore: boolean
}

// antd's Pagination brings its Select, beyond the limit of this screen.
/** Steps to newer and older executions. */
function Pager({ shown, total, hasMore }: PagerProps) {
  const { offset, setOffset } = useFilters()
  const go = (to: number) => {
    setOffset(to)
    scrollTo({ top: 0 })
  }
  return (
    <Flex
      component="nav"
      className="pager"
      gap={12}
      align="center"
      justify="end"
      aria-label={texts.pager.label}
    >
      <Button size="small" disabled={offset === 0} onClick={() => go(Math.max(0, offset - pageSize))}>
        ‹ {texts.pager.newer}
      </Button>
      <span className="quiet small">
        {texts.pager.range(Math.min(offset + 1, total), offset + shown, total)}
      </span>
      <Button size="small" disabled={!hasMore} onClick={() => go(offset + pageSize)}>
        {texts.pager.older} ›
      </Button>
    </Flex>
  )
}
