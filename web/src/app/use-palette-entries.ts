import type { AccountsView } from '@tripline/proto/http/account'
import { useMemo } from 'react'
import { useNavigate } from 'react-router-dom'
import { quickActionsOf } from '../features/terminal/templates.ts'
import type { CarriedMessage } from '../features/terminal/terminal-slice.ts'
import { usualSymbols } from '../features/terminal/usual-symbols.ts'
import { useListAccountsQuery, useListExecutionsQuery, useListKeysQuery } from '../shared/client.ts'
import { logout } from '../shared/end-session.ts'
import type { BotHoldings } from '../shared/exit-messages.ts'
import { knownBot } from '../shared/known-bot.ts'
import { closesEverything, editKeyPath, paths } from '../shared/paths.ts'
import { texts } from '../shared/texts.ts'
import { chooseTheme, useTheme } from '../shared/theme.ts'
import type { PaletteEntry } from './palette-entries.ts'
import { codeEntries, searchEntry, symbolEntries } from './palette-history-entries.ts'
import { screens } from './screens.tsx'
import { useTradingSwitch } from './use-trading-switch.ts'

const { palette, shell } = texts

// Enough to know the symbols that one trades.
const lookedAt = 50

/**
 * Everything that the palette can do: screens, what goes with each bot, symbol and code, pausing, the theme, the way
 * out; and the search of the history for what is typed.
 */
export function usePaletteEntries(onTrading: (to: 'active' | 'reducing') => void) {
  const { data: page } = useListExecutionsQuery({ limit: lookedAt })
  const { next } = useTradingSwitch()
  const { data: keys } = useListKeysQuery()
  const { data: read } = useListAccountsQuery(undefined)
  const theme = useTheme()
  const navigate = useNavigate()
  return useMemo(() => {
    const go = (path: string, carried?: object) => void navigate(path, { state: carried })
    const traded = page?.executions.flatMap(({ symbol }) => symbol ?? []) ?? []
    const entries: PaletteEntry[] = [
      ...screenEntries(go),
      ...(keys ?? []).flatMap((key) => botEntries(key, holdingsOf(read, key.id), go)),
      ...symbolEntries([...new Set([...traded, ...usualSymbols])], go),
      tradingEntry(next, onTrading),
      closeEverythingEntry(go),
      ...codeEntries(go),
      themeEntry(theme === 'dark' ? 'light' : 'dark'),
      { id: 'logout', group: 'setting', title: shell.logout, run: () => void logout() },
    ]
    return { entries, searchFor: (search: string) => searchEntry(search, go) }
  }, [keys, read, page, next, theme, navigate, onTrading])
}

type Go = (path: string, state?: object) => void

function screenEntries(go: Go): PaletteEntry[] {
  const all = [...screens, { path: paths.profile, name: shell.profile }]
  return all.map(({ path, name }) => ({
    id: path,
    group: 'screen',
    title: palette.goTo(name),
    run: () => go(path),
  }))
}

function holdingsOf(read: AccountsView | undefined, keyId: string): BotHoldings | undefined {
  return read?.accounts.find(({ api_key_id: id }) => id === keyId)?.statement ?? undefined
}

interface Bot {
  id: string
  label: string
  market_type: string
}

/** A template fills the terminal's editor; nothing is sent before the person says so there. */
function botEntries(bot: Bot, holdings: BotHoldings | undefined, go: Go): PaletteEntry[] {
  const { id, label } = bot
  const templates = quickActionsOf(knownBot(bot), holdings).map(
    ({ title, message }): PaletteEntry => ({
      id: `${label} ${title}`,
      group: 'template',
      title: palette.template(title, label),
      run: () => go(paths.terminal, { message, isQuickAction: true } satisfies CarriedMessage),
    }),
  )
  const query = new URLSearchParams({ api_key_label: label })
  const history: PaletteEntry = {
    id: `${label} history`,
    group: 'bot',
    title: palette.historyOf(label),
    run: () => go(`${paths.executions}?${query}`),
  }
  const settings: PaletteEntry = {
    id: `${label} settings`,
    group: 'bot',
    title: palette.settingsOf(label),
    run: () => go(editKeyPath(id)),
  }
  return [history, settings, ...templates]
}

function tradingEntry(
  to: 'active' | 'reducing',
  onTrading: (to: 'active' | 'reducing') => void,
): PaletteEntry {
  const title = to === 'active' ? texts.trading.resume : texts.trading.pause
  return { id: 'trading', group: 'trading', title, run: () => onTrading(to) }
}

function closeEverythingEntry(go: Go): PaletteEntry {
  const run = () => go(paths.positions, closesEverything)
  return { id: 'close-everything', group: 'trading', title: texts.trading.closeEverything, run }
}

function themeEntry(theme: 'dark' | 'light'): PaletteEntry {
  const title = theme === 'dark' ? shell.toDark : shell.toLight
  return { id: 'theme', group: 'setting', title, run: () => chooseTheme(theme) }
}
