import { Page } from '../../ui/page.tsx'

/** Where a person starts after the login. */
export function DashboardPage() {
  return (
    <Page title="Dashboard">
      <p>Dashboard</p>
    </Page>
  )
}
