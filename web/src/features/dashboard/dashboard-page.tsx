import CodeOutlined from '@ant-design/icons/CodeOutlined'
import HistoryOutlined from '@ant-design/icons/HistoryOutlined'
import KeyOutlined from '@ant-design/icons/KeyOutlined'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useGetMeQuery } from '../../shared/client.ts'
import { paths } from '../../shared/paths.ts'
import { PositionsPanel } from '../../ui/accounts/positions-panel.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useBatches } from '../../ui/use-batches.ts'
import { BotTiles } from './bot-tiles.tsx'
import './dashboard.css'
import { FirstSteps } from './first-steps.tsx'
import { texts } from './texts.ts'
import { useChecklistAnswers } from './use-checklist.ts'
import { useSummary } from './use-summary.ts'

/** The first screen: the health of the bots, the steps that are left, and the ways on. */
export function DashboardPage() {
  const { data: me } = useGetMeQuery()
  const { links } = texts
  return (
    <Page title={texts.welcome(me?.username ?? '')}>
      <p className="quiet dashboard-lead">{texts.ready}</p>
      <div className="stack">
        <nav className="quick-links" aria-label={links.label}>
          <QuickLink to={paths.terminal} icon={<CodeOutlined aria-hidden="true" />} {...links.terminal} />
          <QuickLink
            to={paths.executions}
            icon={<HistoryOutlined aria-hidden="true" />}
            {...links.executions}
          />
          <QuickLink to={paths.apiKeys} icon={<KeyOutlined aria-hidden="true" />} {...links.apiKeys} />
        </nav>
        <Findings />
      </div>
    </Page>
  )
}

/** The parts that depend on answers, all at once, so that nothing moves when the next one comes. */
function Findings() {
  const steps = useChecklistAnswers()
  const { isLoading } = useSummary()
  return steps.isLoading || isLoading ? <div className="framed tiles-skeleton" /> : <FoundPanels />
}

function FoundPanels() {
  const drawn = useBatches(4)
  return (
    <>
      <FirstSteps />
      {drawn > 1 && <BotTiles />}
      {drawn > 2 && <PositionsPanel />}
      {drawn > 3 && <ComingSoon />}
    </>
  )
}

interface QuickLinkProps {
  to: string
  icon: ReactNode
  title: string
  text: string
}

function QuickLink({ to, icon, title, text }: QuickLinkProps) {
  return (
    <Link className="framed quick-link" to={to}>
      {icon}
      <span>
        <strong>{title}</strong>
        <span className="quiet small">{text}</span>
      </span>
    </Link>
  )
}

function ComingSoon() {
  const { title, items } = texts.comingSoon
  return (
    <Panel title={title}>
      <ul className="coming-soon">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </Panel>
  )
}
