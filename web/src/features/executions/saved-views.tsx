import { Button, Input } from 'antd'
import { useState } from 'react'
import { useToast } from '../../ui/toast.ts'
import { longestViewName } from './saved-views-list.ts'
import { texts } from './texts.ts'
import { useFilters } from './use-filters.ts'
import type { useSavedViews } from './use-saved-views.ts'

const words = texts.views

/** Filters under names: each leads to its list. */
export function SavedViews({ saved: { views, remove } }: { saved: ReturnType<typeof useSavedViews> }) {
  const { view: current, show } = useFilters()
  return (
    <section className="saved-views" aria-label={words.label}>
      {views.map(({ name, view }) => (
        <span key={name} className="saved-view">
          <Button
            size="small"
            shape="round"
            type={view === current ? 'primary' : 'default'}
            aria-pressed={view === current}
            onClick={() => show(view)}
          >
            {name}
          </Button>
          <Button
            size="small"
            type="link"
            aria-label={words.remove(name)}
            title={words.remove(name)}
            onClick={() => remove(name)}
          >
            ✕
          </Button>
        </span>
      ))}
    </section>
  )
}

/** Saves what is filtered now as a view. */
export function SaveView({ onSave }: { onSave: (name: string, view: string) => boolean }) {
  const { view } = useFilters()
  return <SaveForm key={view} onSave={(name) => onSave(name, view)} />
}

/** Asks for the name under which the filters are stored. */
function SaveForm({ onSave }: { onSave: (name: string) => boolean }) {
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const toast = useToast()
  if (!isOpen) {
    return (
      <Button size="small" type="link" onClick={() => setOpen(true)}>
        {words.save}
      </Button>
    )
  }
  return (
    <form
      className="save-view"
      onSubmit={(event) => {
        event.preventDefault()
        if (!onSave(name.trim())) toast.error({ title: words.failure })
        setOpen(false)
        setName('')
      }}
    >
      <Input
        size="small"
        value={name}
        aria-label={words.name}
        placeholder={words.name}
        maxLength={longestViewName}
        autoFocus
        onChange={({ target }) => setName(target.value)}
        onKeyDown={({ key }) => {
          if (key === 'Escape') setOpen(false)
        }}
      />
      <Button htmlType="submit" size="small" disabled={name.trim() === ''}>
        {words.keep}
      </Button>
      <Button size="small" type="link" onClick={() => setOpen(false)}>
        {words.cancel}
      </Button>
    </form>
  )
}
