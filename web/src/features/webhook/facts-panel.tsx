import { Panel } from '../../ui/panel.tsx'
import { webhookTexts } from './texts.ts'

const { facts } = webhookTexts

/** Facts about the platform that sends most alerts. */
export function FactsPanel() {
  return (
    <Panel title={facts.heading}>
      <dl className="webhook-facts">
        {facts.all.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}
