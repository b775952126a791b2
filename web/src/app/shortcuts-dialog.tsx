import { Modal } from 'antd'
import { Fragment } from 'react'
import { texts } from '../shared/texts.ts'
import { useFocusReturn } from '../ui/use-focus-return.ts'
import { screens } from './screens.tsx'

const { shortcuts, palette } = texts

const rows = [
  { keys: ['Ctrl', 'K'], does: shortcuts.palette },
  { keys: ['?'], does: shortcuts.help },
  ...screens.map(({ letter, name }) => ({ keys: ['g', letter], does: palette.goTo(name) })),
  { keys: ['m'], does: shortcuts.write },
  { keys: ['p'], does: shortcuts.trading },
  { keys: ['Ctrl', 'Enter'], does: shortcuts.execute },
  { keys: ['Esc'], does: shortcuts.close },
]

/** The keys that work on every screen. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  useFocusReturn()
  return (
    <Modal title={shortcuts.heading} open onCancel={onClose} footer={null} width={420}>
      <dl className="shortcuts">
        {rows.map(({ keys, does }) => (
          <Fragment key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </Fragment>
        ))}
      </dl>
    </Modal>
  )
}
