import PlusOutlined from '@ant-design/icons/PlusOutlined'
import UndoOutlined from '@ant-design/icons/UndoOutlined'
import type { KeyView } from '@tripline/proto/http/key'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useSelector } from 'react-redux'
import { useListKeysQuery } from '../../shared/client.ts'
import { paperTexts } from '../../ui/paper/paper-texts.ts'
import { ResetPaperDialog } from '../../ui/paper/reset-paper-dialog.tsx'
import { selectLabel } from './terminal-slice.ts'

// Forms are no part of this screen otherwise.
const PaperBotDialog = lazy(async () => ({
  default: (await import('../../ui/paper/paper-bot-dialog.tsx')).PaperBotDialog,
}))

interface AddPaperBotProps {
  /** True when there is no bot yet, so that this is the thing to do. */
  isFirst: boolean
  onAdded: (label: string) => void
}

/** Opens a dialog that adds a bot with a new account on the paper exchange. */
export function AddPaperBot({ isFirst, onAdded }: AddPaperBotProps) {
  const [isOpen, setOpen] = useState(false)
  function close(label?: string) {
    setOpen(false)
    if (label !== undefined) onAdded(label)
  }
  return (
    <>
      <Button
        type={isFirst ? 'primary' : 'text'}
        size="small"
        icon={<PlusOutlined aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        {paperTexts.add.title}
      </Button>
      <Suspense>{isOpen && <PaperBotDialog onClose={close} />}</Suspense>
    </>
  )
}

/** The way to reset the account of the selected bot, where that is a Paper bot. */
export function ResetSelectedBot() {
  const selected = useSelector(selectLabel)
  const { data: keys = [] } = useListKeysQuery()
  const bot = keys.find(({ label, exchange }) => label === selected && exchange === 'paper')
  return bot && <ResetPaperBot key={bot.id} bot={bot} />
}

function ResetPaperBot({ bot }: { bot: KeyView }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        type="text"
        size="small"
        icon={<UndoOutlined aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        {paperTexts.reset.confirm}
      </Button>
      {isOpen && <ResetPaperDialog bot={bot} onClose={() => setOpen(false)} />}
    </>
  )
}
