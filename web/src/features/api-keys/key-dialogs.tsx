import type { KeyView } from '@tripline/proto/http/key'
import { PaperBotDialog } from '../../ui/paper/paper-bot-dialog.tsx'
import { AddKey } from './add-key.tsx'
import { CloseOnlyDrawer } from './close-only-drawer.tsx'
import { DeleteKey } from './delete-key.tsx'
import { EditKey } from './edit-key.tsx'
import type { KeyDialog } from './key-actions.tsx'
import { TradingDrawer } from './trading-drawer.tsx'

/** Which dialog is open, about which key. */
export type Opened = { dialog: KeyDialog; id: string } | { dialog: 'add' } | { dialog: 'paper' }

interface KeyDialogsProps {
  opened: Opened | undefined
  keys: readonly KeyView[]
  onClose: () => void
}

/** The dialog that is open, if one is. */
export function KeyDialogs({ opened, keys, onClose }: KeyDialogsProps) {
  if (opened === undefined) return null
  if (opened.dialog === 'add') return <AddKey keys={keys} onClose={onClose} />
  if (opened.dialog === 'paper') return <PaperBotDialog onClose={() => onClose()} />
  const bot = keys.find(({ id }) => id === opened.id)
  if (bot === undefined) return null
  switch (opened.dialog) {
    case 'edit':
      return <EditKey edited={bot} keys={keys} onClose={onClose} />
    case 'trading':
      return <TradingDrawer bot={bot} onClose={onClose} />
    case 'closeOnly':
      return <CloseOnlyDrawer bot={bot} onClose={onClose} />
    case 'delete':
      return <DeleteKey doomed={bot} onClose={onClose} />
  }
}
