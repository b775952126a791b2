import type { NotificationView } from '@tripline/proto/http/notification'
import { Alert } from 'antd'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { ZoneName } from '../../ui/zone-name.tsx'
import { missingPart } from './missing-part.ts'
import { notificationTexts } from './texts.ts'

const { banner } = notificationTexts

/** Whether the person gets any notification, and why not. */
export function StatusBanner({ settings }: { settings: NotificationView }) {
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
