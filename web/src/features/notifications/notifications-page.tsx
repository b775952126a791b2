import type { NotificationView } from '@tripline/proto/http/notification'
import { Alert } from 'antd'
import { useGetNotificationsQuery } from '../../shared/client.ts'
import { FullScreenSpinner } from '../../ui/full-screen-spinner.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { useBatches } from '../../ui/use-batches.ts'
import { useFailureNotice } from '../../ui/use-failure-notice.ts'
import { ZoneName } from '../../ui/zone-name.tsx'
import { BotsPanel } from './bots-panel.tsx'
import { ConfigurationPanel } from './configuration-panel.tsx'
import { missingPart } from './missing-part.ts'
import { notificationTexts } from './texts.ts'
import './notifications.css'

/** The settings of messages to the person. */
export function NotificationsPage() {
  const { data: settings, error, refetch } = useGetNotificationsQuery()
  useFailureNotice('notifications', notificationTexts.loadFailure, error)
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
    <div className="stack">
      <StatusBanner settings={settings} />
      <div className="columns">
        {drawn > 1 && <ConfigurationPanel settings={settings} />}
        {drawn > 2 && <StepsPanel />}
      </div>
      {drawn > 3 && <BotsPanel />}
    </div>
  )
}

const { banner } = notificationTexts

/** Whether the person gets any notification, and why not. */
function StatusBanner({ settings }: { settings: NotificationView }) {
  const { telegram_bot_token: token, telegram_chat_id: chatId } = settings
  const isConfigured = missingPart({ token: token ?? '', chatId: chatId ?? '' }) === undefined
  const isOn = settings.telegram_enabled && isConfigured
  return (
    <>
      <Alert
        type={isOn ? 'success' : 'warning'}
        showIcon
        title={isOn ? banner.enabled : banner.missing}
        description={isOn ? banner.enabledNote : isConfigured ? banner.offNote : banner.missingNote}
      />
      {settings.last_error !== null && (
        <Alert
          type="error"
          showIcon
          title={banner.broken}
          description={
            <>
              {settings.last_error}
              {settings.last_error_at !== null && (
                <>
                  {' · '}
                  <RelativeTime instant={settings.last_error_at} isDated /> <ZoneName />
                </>
              )}
            </>
          }
        />
      )}
    </>
  )
}

const { steps } = notificationTexts

/** The steps to a Telegram bot of one's own. */
function StepsPanel() {
  return (
    <Panel title={steps.heading}>
      <ol className="steps">
        {steps.all.map(([name, text]) => (
          <li key={name}>
            <strong>{name}</strong>
            <p className="quiet small">{text}</p>
          </li>
        ))}
      </ol>
      <p className="steps-privacy">
        <strong>{steps.privacyTitle}.</strong> {steps.privacy}
      </p>
    </Panel>
  )
}
