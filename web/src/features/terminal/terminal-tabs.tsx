import type { KeyboardEvent } from 'react'
import { terminalTexts } from './texts.ts'

/** The parts of the terminal. */
export type Tab = 'send' | 'responses' | 'log'

const tabs: Tab[] = ['send', 'responses', 'log']

/** The id of the tab of a part. */
export function tabId(tab: Tab): string {
  return `terminal-tab-${tab}`
}

interface TerminalTabsProps {
  shown: Tab
  onShow: (tab: Tab) => void
  /** The number of responses. */
  responses: number
}

// antd's Tabs would bring the terminal beyond its limit, by 11 kB; here all parts stay mounted when the window grows.
/** Chooses the part that a narrow screen has room for. */
export function TerminalTabs({ shown, onShow, responses }: TerminalTabsProps) {
  function onKeyDown({ key }: KeyboardEvent) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key]
    const next = step && tabs[(tabs.indexOf(shown) + step + tabs.length) % tabs.length]
    if (!next) return
    onShow(next)
    document.getElementById(tabId(next))?.focus()
  }
  return (
    <div className="terminal-tabs" role="tablist" aria-label={terminalTexts.tabs.label} onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={tabId(tab)}
          aria-selected={tab === shown}
          aria-controls={`terminal-${tab}`}
          tabIndex={tab === shown ? 0 : -1}
          onClick={() => onShow(tab)}
        >
          {terminalTexts.tabs[tab]}
          {tab === 'responses' && responses > 0 && (
            <>
              {' '}
              <span className="panel-count">{responses}</span>
            </>
          )}
        </button>
      ))}
    </div>
  )
}
