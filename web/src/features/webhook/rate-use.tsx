import { webhookTexts } from './texts.ts'
import { useUsage } from './use-usage.ts'

const { settings } = webhookTexts

/** How much of the limit the last minute has used. */
export function RateUse({ limit }: { limit: number }) {
  const { data: usage, isError } = useUsage()
  if (isError) return <p className="quiet rate-use">{settings.usedUnknown}</p>
  if (usage === undefined) return <p className="quiet rate-use">&nbsp;</p>
  const text = settings.used(usage.used_last_minute, limit)
  return (
    <div className="rate-use">
      <meter min={0} max={limit} high={limit * 0.8} value={usage.used_last_minute} aria-label={text} />
      <span className="quiet">{text}</span>
    </div>
  )
}
