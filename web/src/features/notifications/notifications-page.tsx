import { Page } from '../../ui/page.tsx'

/** Where messages to the person are set up. */
export function NotificationsPage() {
  return (
    <Page title="Notifications">
      <p>Notifications</p>
    </Page>
  )
}
