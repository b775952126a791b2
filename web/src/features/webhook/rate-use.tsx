import { webhookTexts } from './texts.ts'
import { useUsage } from './use-usage.ts'

const { settings } = webhookTexts

/** The use of the limit in the last minute, and the messages of the user's own session besides. */
export function RateUse({ limit }: { limit: number }) {
  const { data: usage, isError } = useUsage()
  const session = usage?.session
  return (
    <>
      {usage === undefined || isError ? (
        <p className="quiet small rate-use">{isError ? settings.usedUnknown : '\u00a0'}</p>
      ) : (
        <AlertUse used={usage.used_last_minute} limit={limit} />
      )}
      <p className="quiet small rate-use">
        {session && !isError
          ? settings.usedBySession(session.used_last_minute, session.max_requests_per_minute)
          : '\u00a0'}
      </p>
    </>
  )
}

function AlertUse({ used, limit }: { used: number; limit: number }) {
  const text = settings.used(used, limit)
  return (
    <div className="small rate-use">
      <meter min={0} max={limit} high={limit * 0.8} value={used} aria-label={text} />
      <span className="quiet">{text}</span>
    </div>
  )
}
