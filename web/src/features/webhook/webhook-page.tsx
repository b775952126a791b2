import { Page } from '../../ui/page.tsx'

/** The address that alerts are sent to. */
export function WebhookPage() {
  return (
    <Page title="Webhook">
      <p>Webhook</p>
    </Page>
  )
}
