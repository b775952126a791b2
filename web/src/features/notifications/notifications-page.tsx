import type { NotificationView } from '@tripline/proto/http/notification'
import { useEffect } from 'react'
import { useGetNotificationsQuery } from '../../shared/client.ts'
import { failureText } from '../../shared/failure.ts'
import { FullScreenSpinner } from '../../ui/full-screen-spinner.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Page } from '../../ui/page.tsx'
import { useToast } from '../../ui/toast.ts'
import { useBatches } from '../../ui/use-batches.ts'
import { BotsPanel } from './bots-panel.tsx'
import { ConfigurationPanel } from './configuration-panel.tsx'
import './notifications.css'
import { StatusBanner } from './status-banner.tsx'
import { StepsPanel } from './steps-panel.tsx'
import { notificationTexts } from './texts.ts'

/** The settings of messages to the person. */
export function NotificationsPage() {
  const { data: settings, error, refetch } = useGetNotificationsQuery()
  const toast = useToast()
  useEffect(() => {
    const title = notificationTexts.loadFailure
    if (error) toast.error({ title, description: failureText(error), key: 'notifications' })
  }, [error, toast])
  return (
    <Page title={notificationTexts.heading}>
      {!settings && !error && <FullScreenSpinner />}
      {!settings && error && (
        <LoadFailure title={notificationTexts.loadFailure} error={error} onRetry={() => void refetch()} />
      )}
      {settings && <NotificationPanels settings={settings} />}
    </Page>
  )
}

function NotificationPanels({ settings }: { settings: NotificationView }) {
  const drawn = useBatches(4)
  return (
    <div className="notifications">
      <StatusBanner settings={settings} />
      <div className="notifications-columns">
        {drawn > 1 && <ConfigurationPanel settings={settings} />}
        {drawn > 2 && <StepsPanel />}
      </div>
      {drawn > 3 && <BotsPanel />}
    </div>
  )
}
