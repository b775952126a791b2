import ColumnWidthOutlined from '@ant-design/icons/ColumnWidthOutlined'
import PauseOutlined from '@ant-design/icons/PauseOutlined'
import PlayCircleOutlined from '@ant-design/icons/PlayCircleOutlined'
import { Flex, Input } from 'antd'
import { CopyButton } from '../../ui/copy-button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import type { EventKind, LogFilter } from './log-entries.ts'
import { logTexts } from './texts.ts'
import type { PausableLines } from './use-pausable-lines.ts'

const kinds: EventKind[] = ['webhook', 'command', 'exchange', 'oco', 'client_pool', 'error']

interface LogFilterBarProps {
  filter: LogFilter
  onFilter: (filter: LogFilter) => void
}

/** Chooses what is seen of the log. */
export function LogFilterBar({ filter, onFilter }: LogFilterBarProps) {
  return (
    <div className="log-toolbar">
      <KindChips filter={filter} onFilter={onFilter} />
      <Input
        className="log-filter"
        size="small"
        allowClear
        aria-label={logTexts.filter}
        placeholder={logTexts.filterHint}
        value={filter.text}
        onChange={(event) => onFilter({ ...filter, text: event.target.value })}
      />
    </div>
  )
}

interface LogActsProps {
  pausable: PausableLines
  wraps: boolean
  onWrap: (wraps: boolean) => void
  /** The text to copy. */
  text: string
}

/** Wraps, copies and holds the log. */
export function LogActs({ pausable, wraps, onWrap, text }: LogActsProps) {
  return (
    <Flex className="log-acts" align="center">
      <IconButton
        icon={<ColumnWidthOutlined aria-hidden="true" />}
        label={logTexts.wrap}
        aria-pressed={wraps}
        onClick={() => onWrap(!wraps)}
      />
      <CopyButton text={text} label={logTexts.copy} />
      <PauseButton pausable={pausable} />
    </Flex>
  )
}

function KindChips({ filter, onFilter }: LogFilterBarProps) {
  function toggle(kind: EventKind) {
    const hidden = new Set(filter.hidden)
    if (!hidden.delete(kind)) hidden.add(kind)
    onFilter({ ...filter, hidden })
  }
  return (
    <fieldset className="log-kinds">
      <legend className="visually-hidden">{logTexts.kinds}</legend>
      {kinds.map((kind) => (
        <button
          key={kind}
          type="button"
          className={`dot log-kind log-${kind}`}
          aria-pressed={!filter.hidden.has(kind)}
          onClick={() => toggle(kind)}
        >
          {logTexts.kind[kind]}
        </button>
      ))}
    </fieldset>
  )
}

function PauseButton({ pausable: { isPaused, missed, pause, release } }: { pausable: PausableLines }) {
  return (
    <IconButton
      icon={isPaused ? <PlayCircleOutlined aria-hidden="true" /> : <PauseOutlined aria-hidden="true" />}
      label={isPaused ? logTexts.resume : logTexts.pause}
      onClick={isPaused ? release : pause}
    >
      {isPaused ? logTexts.missed(missed) : undefined}
    </IconButton>
  )
}
