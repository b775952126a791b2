import type { KeyView } from '@tripline/proto/http/key'
import { Button, Flex } from 'antd'
import { texts } from './texts.ts'

/** A dialog about a key. */
export type KeyDialog = 'edit' | 'trading' | 'closeOnly' | 'delete'

interface KeyActionsProps {
  bot: KeyView
  isTesting: boolean
  onTest: () => void
  onOpen: (dialog: KeyDialog) => void
}

/** The actions on a key. */
export function KeyActions({ bot: { label }, isTesting, onTest, onOpen }: KeyActionsProps) {
  return (
    <Flex className="key-actions" wrap gap={6}>
      <Button size="small" loading={isTesting} aria-label={`${texts.test} ${label}`} onClick={onTest}>
        {texts.test}
      </Button>
      <Button size="small" aria-label={`${texts.edit} ${label}`} onClick={() => onOpen('edit')}>
        {texts.edit}
      </Button>
      <Button
        size="small"
        aria-label={texts.closeOnly.open(label)}
        title={texts.closeOnly.open(label)}
        onClick={() => onOpen('closeOnly')}
      >
        {texts.closeOnly.action}
      </Button>
      <Button size="small" danger aria-label={`${texts.remove} ${label}`} onClick={() => onOpen('delete')}>
        {texts.remove}
      </Button>
    </Flex>
  )
}
