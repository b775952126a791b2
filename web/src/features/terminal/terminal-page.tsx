import { Button } from 'antd'
import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { useSelector } from 'react-redux'
import { useGetWebhookConfigQuery } from '../../shared/client.ts'
import { maskedUrl } from '../../shared/masked-url.ts'
import { useIsNarrow } from '../../shared/use-media.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Page } from '../../ui/page.tsx'
import { useBatches } from '../../ui/use-batches.ts'
import { useFailureNotice } from '../../ui/use-failure-notice.ts'
import { Compose } from './compose.tsx'
import { LiveLog } from './live-log.tsx'
import { ResponseMonitor } from './response-monitor.tsx'
import { selectResponses } from './terminal-slice.ts'
import { type Tab, TerminalTabs, tabId } from './terminal-tabs.tsx'
import { terminalTexts, webhookAddressTexts } from './texts.ts'
import './terminal.css'

/** The screen where a person sends messages to their own webhook and watches their outcomes. */
export function TerminalPage() {
  const isNarrow = useIsNarrow()
  const [tab, setTab] = useState<Tab>('send')
  const responses = useSelector(selectResponses)
  useResults(responses[0]?.id, () => setTab('responses'))
  const shown = isNarrow ? tab : undefined
  const [share, setShare] = useState(46)
  const drawn = useBatches(3)
  const widths = { '--send-width': `${share}%` } as CSSProperties
  return (
    <Page title={terminalTexts.heading} aside={<WebhookAddress />}>
      {isNarrow && <TerminalTabs shown={tab} onShow={setTab} responses={responses.length} />}
      <div className="terminal" style={widths}>
        <Part tab="send" shown={shown}>
          <Compose />
        </Part>
        <ColumnBar share={share} onShare={setShare} />
        <Part tab="responses" shown={shown}>
          {drawn > 1 && <ResponseMonitor />}
        </Part>
        <Part tab="log" shown={shown}>
          {drawn > 2 && <LiveLog />}
        </Part>
      </div>
    </Page>
  )
}

/** Calls back with each response that comes while the page is open; on a phone it is in another part. */
function useResults(newest: string | undefined, onResult: () => void): void {
  const seen = useRef(newest)
  const show = useEffectEvent(onResult)
  useEffect(() => {
    if (newest !== undefined && newest !== seen.current) show()
    seen.current = newest
  }, [newest])
}

interface PartProps {
  tab: Tab
  /** The only part there is room for; undefined where all have room. */
  shown: Tab | undefined
  children: ReactNode
}

/** One part of the terminal; kept as it is while another one has the room. */
function Part({ tab, shown, children }: PartProps) {
  const asPanel =
    shown && ({ role: 'tabpanel', id: `terminal-${tab}`, 'aria-labelledby': tabId(tab) } as const)
  return (
    <div
      className={`terminal-part terminal-${tab}`}
      hidden={shown !== undefined && shown !== tab}
      {...asPanel}
    >
      {children}
    </div>
  )
}

/** The address that alerts go to, with its token hidden, ready to be copied. */
function WebhookAddress() {
  const { data: config, error, refetch } = useGetWebhookConfigQuery()
  useFailureNotice('webhook-config', webhookAddressTexts.loadFailure, error)
  if (error && config === undefined) {
    return <Button onClick={() => void refetch()}>{webhookAddressTexts.reload}</Button>
  }
  return (
    <span className="webhook-address">
      <span className="quiet">{webhookAddressTexts.url}</span>
      <code>{config ? maskedUrl(config.webhook_url) : webhookAddressTexts.loading}</code>
      {config && <CopyButton text={config.webhook_url} label={webhookAddressTexts.copyUrl} />}
    </span>
  )
}

/** The limits of the left column's width, in percent. */
const least = 30
const most = 65
const step = 2

interface ColumnBarProps {
  /** The percent that the left column has. */
  share: number
  onShare: (share: number) => void
}

/** The bar between the columns; dragged, or moved with the arrow keys. */
function ColumnBar({ share, onShare }: ColumnBarProps) {
  const move = (wanted: number) => onShare(Math.min(most, Math.max(least, wanted)))
  function onKeyDown({ key }: KeyboardEvent) {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[key]
    if (direction) move(share + direction * step)
  }
  function onPointerMove({ currentTarget: bar, pointerId, clientX }: PointerEvent<HTMLElement>) {
    const columns = bar.parentElement?.getBoundingClientRect()
    if (columns && bar.hasPointerCapture(pointerId)) move(((clientX - columns.left) / columns.width) * 100)
  }
  return (
    <hr
      className="column-bar"
      aria-orientation="vertical"
      aria-label={terminalTexts.columns}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={Math.round(share)}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={onPointerMove}
    />
  )
}
