import UndoOutlined from '@ant-design/icons/UndoOutlined'
import type { KeyView } from '@tripline/proto/http/key'
import { Button } from 'antd'
import { useState } from 'react'
import { useSelector } from 'react-redux'
import { useListKeysQuery } from '../../shared/client.ts'
import { paperTexts } from '../../ui/paper/paper-texts.ts'
import { ResetPaperDialog } from '../../ui/paper/reset-paper-dialog.tsx'
import { selectLabel } from './terminal-slice.ts'

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
