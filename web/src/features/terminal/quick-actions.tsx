import { useSelector } from 'react-redux'
import { texts } from '../../shared/texts.ts'
import { commandMessage, quickActions } from './templates.ts'
import { selectLabel } from './terminal-slice.ts'

/** Ready messages for the selected bot; choosing one fills the editor. */
export function QuickActions({ onChoose }: { onChoose: (message: string) => void }) {
  const label = useSelector(selectLabel)
  return (
    <section className="quick-actions" aria-label={texts.terminal.quickActions}>
      <h3>{texts.terminal.quickActions}</h3>
      {label === null && <p className="quiet">{texts.terminal.selectKey}</p>}
      {label !== null && (
        <div className="quick-action-list">
          {quickActions.map(({ title, tone, command }) => (
            <button
              key={title}
              type="button"
              className={`quick-action tone-${tone}`}
              onClick={() => onChoose(commandMessage(label, command))}
            >
              {title}
            </button>
          ))}
        </div>
      )}
    </section>
  )
}
