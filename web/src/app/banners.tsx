import { Alert, Button } from 'antd'
import { type ReactNode, useSyncExternalStore } from 'react'
import { Link } from 'react-router-dom'
import { useGetWebhookConfigQuery } from '../shared/client.ts'
import { useLiveState } from '../shared/live/use-live.ts'
import { useHasNewVersion } from '../shared/new-version.ts'
import { paths } from '../shared/paths.ts'
import { texts } from '../shared/texts.ts'
import { askedWhileSeen } from './asked-while-seen.ts'
import { reloadWithDraft } from './stored-draft.ts'
import { useTradingChanges } from './use-trading-changes.ts'
import { useTradingSwitch } from './use-trading-switch.ts'

// One lost connection is mended within a second; after the second try people should know.
const shownFromAttempt = 2

/** Says across every screen that the browser or the server is away. */
export function OutageBanner() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  const live = useLiveState()
  const isUnreachable = live.phase === 'reconnecting' && live.attempt >= shownFromAttempt
  const said = !isOnline ? texts.outage.offline : isUnreachable ? texts.outage.unreachable : undefined
  return <div role="status">{said && <Banner tone="error" glyph="⚠" text={said} />}</div>
}

function subscribe(changed: () => void): () => void {
  window.addEventListener('online', changed)
  window.addEventListener('offline', changed)
  return () => {
    window.removeEventListener('online', changed)
    window.removeEventListener('offline', changed)
  }
}

/** Offers the version that was deployed since this page was opened. */
export function VersionBanner() {
  const hasNewVersion = useHasNewVersion()
  return (
    <div role="status">
      {hasNewVersion && (
        <Banner
          tone="info"
          glyph="↻"
          text={`${texts.newVersion.said} ${texts.newVersion.draftStays}`}
          action={
            <Button size="small" onClick={reloadWithDraft}>
              {texts.newVersion.reload}
            </Button>
          }
        />
      )}
    </div>
  )
}

/** Says on every screen that not everything is traded now, and that nobody knows whether it is. */
export function TradingBanner() {
  const { state, isOld, isAsking, askAgain } = useTradingSwitch()
  useTradingChanges(askAgain)
  const { pausedNotice, haltedNotice, stateOld } = texts.trading
  return (
    <div role="status">
      {state !== undefined && state !== 'active' && (
        <Banner tone="warning" glyph="‖" text={state === 'halted' ? haltedNotice : pausedNotice} />
      )}
      {isOld && (
        <Banner
          tone="error"
          glyph="⚠"
          text={stateOld}
          action={
            <Button size="small" loading={isAsking} onClick={askAgain}>
              {texts.general.retry}
            </Button>
          }
        />
      )}
    </div>
  )
}

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

interface BannerProps {
  tone: 'error' | 'warning' | 'info'
  glyph: string
  text: string
  /** The way out of it, if there is one. */
  action?: ReactNode
}

/** A line across every screen. */
function Banner({ tone, glyph, text, action }: BannerProps) {
  const icon = <span aria-hidden="true">{glyph}</span>
  return <Alert banner role="none" type={tone} icon={icon} title={text} action={action} />
}
