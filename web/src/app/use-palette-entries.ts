import type { AccountsView } from '@tripline/proto/http/account'
import { useMemo } from 'react'
import { useNavigate } from 'react-router-dom'
import { quickActionsOf } from '../features/terminal/templates.ts'
import type { CarriedMessage } from '../features/terminal/terminal-slice.ts'
import { useListAccountsQuery, useListKeysQuery } from '../shared/client.ts'
import { logout } from '../shared/end-session.ts'
import type { Held } from '../shared/exit-messages.ts'
import { paths } from '../shared/paths.ts'
import { texts } from '../shared/texts.ts'
import { chooseTheme, useTheme } from '../shared/theme.ts'
import type { PaletteEntry } from './palette-entries.ts'
import { screens } from './screens.tsx'

const { palette, shell } = texts

/** Everything that the palette can do: screens, what goes with each bot, the theme, the way out. */
export function usePaletteEntries(): PaletteEntry[] {
  const { data: keys } = useListKeysQuery()
  const { data: read } = useListAccountsQuery(undefined)
  const theme = useTheme()
  const navigate = useNavigate()
  return useMemo(() => {
    const go = (path: string, state?: object) => void navigate(path, { state })
    return [
      ...screenEntries(go),
      ...(keys ?? []).flatMap((key) => botEntries(key, heldBy(read, key.id), go)),
      themeEntry(theme === 'dark' ? 'light' : 'dark'),
      { id: 'logout', group: 'setting', title: shell.logout, run: () => void logout() },
    ]
  }, [keys, read, theme, navigate])
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

function heldBy(read: AccountsView | undefined, keyId: string): Held | undefined {
  return read?.accounts.find(({ api_key_id: id }) => id === keyId)?.statement ?? undefined
}

/** A template fills the terminal's editor; nothing is sent before the person says so there. */
function botEntries(
  { label, market_type }: { label: string; market_type: string },
  held: Held | undefined,
  go: Go,
): PaletteEntry[] {
  const market = market_type === 'spot' ? 'spot' : 'futures'
  const templates = quickActionsOf({ label, market }, held).map(
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
  return [history, ...templates]
}

function themeEntry(theme: 'dark' | 'light'): PaletteEntry {
  const title = theme === 'dark' ? shell.toDark : shell.toLight
  return { id: 'theme', group: 'setting', title, run: () => chooseTheme(theme) }
}
