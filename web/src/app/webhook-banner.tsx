import { Link } from 'react-router-dom'
import { useGetWebhookConfigQuery } from '../shared/client.ts'
import { paths } from '../shared/paths.ts'
import { texts } from '../shared/texts.ts'
import { askedWhileSeen } from './asked-while-seen.ts'
import { Banner } from './banner.tsx'

/** Says on every screen that the webhook is off, so that no alert is executed. */
export function WebhookBanner() {
  const { data } = useGetWebhookConfigQuery(undefined, askedWhileSeen)
  return (
    <div role="status">
      {data?.is_active === false && (
        <Banner
          tone="warning"
          glyph="‖"
          text={texts.webhookOff.notice}
          action={<Link to={paths.webhook}>{texts.webhookOff.settings}</Link>}
        />
      )}
    </div>
  )
}
