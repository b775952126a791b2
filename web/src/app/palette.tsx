import { Input, Modal } from 'antd'
import { type KeyboardEvent, useState } from 'react'
import { texts } from '../shared/texts.ts'
import { useFocusReturn } from '../ui/use-focus-return.ts'
import { type PaletteEntry, searchEntries } from './palette-entries.ts'
import { usePaletteEntries } from './use-palette-entries.ts'

const listId = 'palette-entries'
const optionId = (index: number) => `palette-entry-${index}`

interface PaletteProps {
  onClose: () => void
  /** Asks whether the trading state is to be changed. */
  onTrading: (to: 'active' | 'reducing') => void
}

/** Finds and does anything by its name: arrows choose, Enter does it. */
export function Palette({ onClose, onTrading }: PaletteProps) {
  useFocusReturn()
  const [search, setSearch] = useState('')
  const [at, setAt] = useState(0)
  const { entries, searchFor } = usePaletteEntries(onTrading)
  const found = [...searchEntries(entries, search), ...searchFor(search)]
  const chosen = Math.min(at, found.length - 1)
  function run(entry: PaletteEntry | undefined) {
    if (entry === undefined) return
    onClose()
    entry.run()
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setAt((chosen + step + found.length) % Math.max(found.length, 1))
    } else if (event.key === 'Enter') {
      // The focus goes back while the key is still down, and must not press what it goes back to.
      event.preventDefault()
      run(found[chosen])
    }
  }
  return (
    <Modal
      open
      onCancel={onClose}
      footer={null}
      closable={false}
      width={560}
      className="palette"
      title={<span className="visually-hidden">{texts.palette.open}</span>}
    >
      <Input
        className="palette-search"
        variant="underlined"
        size="large"
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={found.length > 0 ? optionId(chosen) : undefined}
        aria-label={texts.palette.open}
        placeholder={texts.palette.placeholder}
        value={search}
        autoFocus
        onChange={(event) => {
          setSearch(event.target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <EntryList found={found} chosen={chosen} onRun={run} />
    </Modal>
  )
}

interface EntryListProps {
  found: readonly PaletteEntry[]
  chosen: number
  onRun: (entry: PaletteEntry) => void
}

function EntryList({ found, chosen, onRun }: EntryListProps) {
  return (
    <div id={listId} role="listbox" aria-label={texts.palette.open} className="palette-entries">
      {found.map((entry, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the search field above takes the keys.
        // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the search field.
        <div
          key={entry.id}
          id={optionId(index)}
          role="option"
          aria-selected={index === chosen}
          onClick={() => onRun(entry)}
        >
          <span>{entry.title}</span>
          <span className="quiet small">{texts.palette.groups[entry.group]}</span>
        </div>
      ))}
    </div>
  )
}
