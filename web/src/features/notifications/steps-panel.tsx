import { Panel } from '../../ui/panel.tsx'
import { notificationTexts } from './texts.ts'

const { steps } = notificationTexts

/** The steps to a Telegram bot of one's own. */
export function StepsPanel() {
  return (
    <Panel title={steps.heading}>
      <ol className="steps">
        {steps.all.map(([name, text]) => (
          <li key={name}>
            <strong>{name}</strong>
            <p>{text}</p>
          </li>
        ))}
      </ol>
      <p className="steps-privacy">
        <strong>{steps.privacyTitle}.</strong> {steps.privacy}
      </p>
    </Panel>
  )
}
