import type { ExecutionView } from '@tripline/proto/http/execution'
import { useMemo } from 'react'
import { useListKeysQuery } from '../../shared/client.ts'
import { knownBot } from '../../shared/known-bot.ts'
import { MessageText } from '../../ui/message-text.tsx'
import { ErrorNote } from './error-note.tsx'
import { ExecutionActions } from './execution-actions.tsx'
import { markedSpans } from './marked-spans.ts'
import { StageTimeline } from './stage-timeline.tsx'
import { texts } from './texts.ts'
import { useFlight } from './use-flight.ts'

/** Everything about one execution: its way, its message, and what to do about its errors. */
export function ExecutionDetails({ execution: listed }: { execution: ExecutionView }) {
  const { execution, flight, isFailed } = useFlight(listed)
  const { exchange, error_code: code, error_message: message } = execution
  return (
    <div className="execution-details">
      <section>
        {code !== null && <ErrorNote code={code} message={message} exchange={exchange} />}
        {isFailed && <p className="quiet">{texts.details.flightFailure}</p>}
        <StageTimeline execution={execution} flight={flight} />
      </section>
      <section>
        <h2 className="subheading">{texts.details.message}</h2>
        <MarkedMessage execution={execution} />
        {execution.close_only && <p className="quiet">{texts.details.closeOnly}</p>}
        {flight?.webhook_payload.body && (
          <details className="fold">
            <summary>{texts.details.body}</summary>
            <pre className="message-text">{flight.webhook_payload.body}</pre>
          </details>
        )}
        <ExecutionActions execution={execution} />
      </section>
    </div>
  )
}

function MarkedMessage({ execution }: { execution: ExecutionView }) {
  const { data: keys } = useListKeysQuery()
  const marked = useMemo(() => markedSpans(execution, (keys ?? []).map(knownBot)), [execution, keys])
  return <MessageText message={execution.webhook_payload.message} marked={marked} />
}
