import { texts } from '../../shared/texts.ts'
import { Page } from '../../ui/page.tsx'
import { Compose } from './compose.tsx'
import { LiveLog } from './live-log.tsx'
import { ResponseMonitor } from './response-monitor.tsx'
import './terminal.css'
import { WebhookAddress } from './webhook-address.tsx'

/** Where a person sends messages to their own webhook and watches what becomes of them. */
export function TerminalPage() {
  return (
    <Page title={texts.terminal.heading} aside={<WebhookAddress />}>
      <div className="terminal">
        <div className="terminal-column">
          <Compose />
        </div>
        <div className="terminal-column terminal-watch">
          <ResponseMonitor />
          <LiveLog />
        </div>
      </div>
    </Page>
  )
}
