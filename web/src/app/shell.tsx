import { Button } from 'antd'
import './schemas-without-eval.ts'
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { useSettledResponses } from '../features/terminal/use-settled-responses.ts'
import { client } from '../shared/client.ts'
import { useLiveEvents } from '../shared/live/use-live.ts'
import { texts } from '../shared/texts.ts'
import { setTitlePrefix } from '../shared/title-prefix.ts'
import { useAskedLater } from '../shared/use-asked-later.ts'
import { FullScreenSpinner } from '../ui/full-screen-spinner.tsx'
import { OutageBanner, TradingBanner, VersionBanner, WebhookBanner } from './banners.tsx'
import { NavigationDrawer, NavigationList } from './navigation.tsx'
// Part of the frame: what is typed right after its key belongs to it.
import { Palette } from './palette.tsx'
import { ScreenBoundary } from './screen-boundary.tsx'
import './shell.css'
import { ShellHeader } from './shell-header.tsx'
import { TradingDialog } from './trading-dialog.tsx'
import { countText, failedArg, useFailedCount } from './use-failed-count.ts'
import { useShortcuts } from './use-shortcuts.ts'
import { useStoredDraft } from './use-stored-draft.ts'
import { useTradingSwitch } from './use-trading-switch.ts'

type Overlay = 'navigation' | 'palette' | 'shortcuts' | 'pause' | 'resume'

const ShortcutsDialog = lazy(async () => ({
  default: (await import('./shortcuts-dialog.tsx')).ShortcutsDialog,
}))

/** The frame around every screen of a logged-in person. */
export function Shell() {
  const [overlay, setOverlay] = useState<Overlay>()
  const menuButton = useRef<HTMLButtonElement>(null)
  const close = useCallback(() => setOverlay(undefined), [])
  const askTrading = useCallback(
    (to: 'active' | 'reducing') => setOverlay(to === 'active' ? 'resume' : 'pause'),
    [],
  )
  useStoredDraft()
  useSettledResponses()
  const { next } = useTradingSwitch()
  useShortcuts({
    onPalette: () => setOverlay('palette'),
    onHelp: () => setOverlay('shortcuts'),
    onTrading: () => askTrading(next),
  })
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        {texts.general.skipToContent}
      </a>
      <FailureWatch />
      <ShellHeader
        menuButton={menuButton}
        onOpenNavigation={() => setOverlay('navigation')}
        onOpenPalette={() => setOverlay('palette')}
      />
      <aside className="shell-sidebar">
        <NavigationList />
        <Button type="text" className="shell-hint" onClick={() => setOverlay('shortcuts')}>
          <kbd>?</kbd> {texts.shell.hint}
        </Button>
      </aside>
      <NavigationDrawer isOpen={overlay === 'navigation'} onClose={close} opener={menuButton} />
      {overlay === 'palette' && <Palette onClose={close} onTrading={askTrading} />}
      {(overlay === 'pause' || overlay === 'resume') && (
        <TradingDialog isOpen to={overlay === 'pause' ? 'reducing' : 'active'} onClose={close} />
      )}
      <Suspense>{overlay === 'shortcuts' && <ShortcutsDialog onClose={close} />}</Suspense>
      <CurrentScreen />
    </div>
  )
}

function CurrentScreen() {
  const { pathname } = useLocation()
  return (
    <main id="content" className="shell-content" tabIndex={-1}>
      <OutageBanner />
      <VersionBanner />
      <TradingBanner />
      <WebhookBanner />
      <ScreenBoundary key={pathname}>
        <Suspense fallback={<FullScreenSpinner />}>
          <Outlet />
        </Suspense>
      </ScreenBoundary>
    </main>
  )
}

const { useQuerySubscription: useFailedSubscription } = client.endpoints.listExecutions

/** When the list is asked for after a failure: it may be a little behind the live events. */
const askAfterMs = [0, 1000, 4000, 15_000]

/** Keeps the count of recent failures true as they happen, and shows it in the tab. */
function FailureWatch() {
  const count = useFailedCount()
  const { refetch } = useFailedSubscription(failedArg)
  const askLater = useAskedLater(refetch, askAfterMs)
  useLiveEvents((events) => {
    if (events.some(({ details }) => details?.status === 'failed')) askLater()
  })
  useEffect(() => setTitlePrefix(count === 0 ? '' : `(${countText(count)}) `), [count])
  useEffect(() => () => setTitlePrefix(''), [])
  return null
}
