import { Alert } from 'antd'
import { explainError } from '../../shared/help/error-help.ts'
import { isNumberedCode } from '../../shared/is-numbered-code.ts'
import { numbersInText } from '../../shared/number-text.ts'
import { HelpLines } from '../../ui/help/help-lines.tsx'
import { ManualLink } from '../../ui/help/manual-link.tsx'
import { texts } from './texts.ts'

interface ErrorNoteProps {
  code: string | null
  message: string | null
  exchange: string | null
}

/** An error: its code, what it means, what to do, and the exchange's own words on demand. */
export function ErrorNote({ code, message, exchange }: ErrorNoteProps) {
  const { title, detail, cause, next, raw } = explainError(code, message, exchange)
  // Words about this very order explain the cause better than those about all with the code.
  const hasDetail = raw === undefined && detail !== ''
  return (
    <Alert
      type="error"
      role="none"
      title={
        <span className="error-title">
          {code !== null && isNumberedCode(code) && <code>{code}</code>} {title}
        </span>
      }
      description={
        <>
          {hasDetail && <p>{numbersInText(detail)}</p>}
          <HelpLines {...(!hasDetail && { cause })} next={next} />
          <ManualLink code={code} />
          {raw && (
            <details className="fold">
              <summary>{texts.details.exchangeSaid}</summary>
              <pre className="message-text">
                {raw.text} ({raw.number})
              </pre>
            </details>
          )}
        </>
      }
    />
  )
}
