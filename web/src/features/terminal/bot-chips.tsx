import type { KeyView } from '@tripline/proto/http/key'
import { Button, Skeleton } from 'antd'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useSelector } from 'react-redux'
import { Link } from 'react-router-dom'
import { isAble } from '../../shared/able-key.ts'
import { useListKeysQuery } from '../../shared/client.ts'
import { paths } from '../../shared/paths.ts'
import { texts } from '../../shared/texts.ts'
import { useFailureNotice } from '../../ui/use-failure-notice.ts'
import { AddPaperBot } from './paper-bots.tsx'
import { selectLabel } from './terminal-slice.ts'
import { terminalTexts } from './texts.ts'
import { useOnlyBot } from './use-bots.ts'

type OnSelect = (label: string, byPointer: boolean) => void

interface BotChipsProps {
  onSelect: OnSelect
  /** With the label of a bot that is new. */
  onAdded: (label: string) => void
}

/** One chip for each bot; selecting one starts a message for it. */
export function BotChips({ onSelect, onAdded }: BotChipsProps) {
  const { data: keys, error, refetch } = useListKeysQuery()
  useOnlyBot(keys)
  useFailureNotice('keys', terminalTexts.keysFailure, error)
  if (keys === undefined && error) {
    return (
      <p className="terminal-fault">
        {terminalTexts.keysFailure} <Button onClick={() => void refetch()}>{texts.general.retry}</Button>
      </p>
    )
  }
  if (keys === undefined) return <Skeleton.Button active className="bot-chips" />
  return (
    <>
      <fieldset className="bot-chips" onKeyDown={(event) => selectByNumber(event, keys, onSelect)}>
        <legend className="visually-hidden">{terminalTexts.bots}</legend>
        {keys.length === 0 && <span className="quiet">{terminalTexts.noKeys}</span>}
        {keys.map((key) => (
          <BotChip key={key.id} label={key.label} isAble={isAble(key)} onSelect={onSelect} />
        ))}
        <AddPaperBot onAdded={onAdded} isFirst={keys.length === 0} />
      </fieldset>
      <UnableBots keys={keys} />
    </>
  )
}

/** Says what to do where the selected bot cannot trade, or none of them can. */
function UnableBots({ keys }: { keys: readonly KeyView[] }) {
  const selected = useSelector(selectLabel)
  const chosen = keys.find(({ label }) => label === selected)
  const hasNone = keys.length > 0 && !keys.some(isAble)
  if (!hasNone && (chosen === undefined || isAble(chosen))) return null
  const { unable } = terminalTexts
  const about = chosen ?? (keys.length === 1 ? keys[0] : undefined)
  return (
    <p className="terminal-fault">
      {about === undefined ? unable.all : unable.one(about.label)} {about && reasonOf(about)}{' '}
      <Link to={paths.apiKeys}>{unable.mend}</Link>
    </p>
  )
}

function reasonOf({ problem, last_test: test }: KeyView): string {
  const reason = problem ?? test?.error ?? test?.message ?? ''
  return reason === '' || reason.endsWith('.') ? reason : `${reason}.`
}

/** While the keyboard is on the chips, 1 to 9 select the first nine. */
function selectByNumber(
  { key, ctrlKey, metaKey, altKey, currentTarget, target }: KeyboardEvent,
  keys: readonly KeyView[],
  onSelect: OnSelect,
) {
  // Keys typed into a dialog that is opened from here arrive, too.
  if (!(target instanceof Node && currentTarget.contains(target))) return
  const chosen = /^[1-9]$/.test(key) ? keys[Number(key) - 1] : undefined
  if (chosen && !ctrlKey && !metaKey && !altKey) onSelect(chosen.label, false)
}

interface BotChipProps {
  label: string
  isAble: boolean
  onSelect: OnSelect
}

function BotChip({ label, isAble: isAbleToTrade, onSelect }: BotChipProps) {
  const isSelected = useSelector(selectLabel) === label
  const chip = useRef<HTMLLabelElement>(null)
  useEffect(() => {
    if (isSelected && chip.current) showInRow(chip.current)
  }, [isSelected])
  return (
    <label ref={chip} className="choice bot-chip">
      <input
        type="radio"
        name="bot"
        className="visually-hidden"
        checked={isSelected}
        // Arrow keys also click; only a pointer counts its clicks.
        onClick={(event) => onSelect(label, event.detail > 0)}
        readOnly
      />
      {label}
      {!isAbleToTrade && (
        <span className="bot-chip-fault" title={terminalTexts.unable.one(label)}>
          <span aria-hidden="true">✕</span>
          <span className="visually-hidden"> {terminalTexts.unable.mark}</span>
        </span>
      )}
    </label>
  )
}

// Width of the row that is seen beside the chip, as a hint that it goes on.
const besidePx = 12

/** Scrolls the row of the chips until this one is seen whole: on a phone they stand in one row, which scrolls sideways. */
function showInRow(chip: HTMLElement): void {
  const row = chip.parentElement
  if (row === null) return
  const [seen, wanted] = [row.getBoundingClientRect(), chip.getBoundingClientRect()]
  const isBehind = wanted.right + besidePx > seen.right
  const isBefore = wanted.left - besidePx < seen.left
  if (isBehind) row.scrollLeft += wanted.right + besidePx - seen.right
  else if (isBefore) row.scrollLeft -= seen.left - wanted.left + besidePx
}
