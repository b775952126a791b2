import type { KeyView } from '@tripline/proto/http/key'
import { Button } from 'antd'
import { useState } from 'react'
import { paperTexts } from '../../ui/paper/paper-texts.ts'
import { ResetPaperDialog } from '../../ui/paper/reset-paper-dialog.tsx'
import { texts } from './texts.ts'

/** The way to give a Paper bot its opening balance back, as a part of its form. */
export function ResetPaper({ bot }: { bot: KeyView }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section className="form-step" aria-label={texts.paperAccount}>
      <h2>{texts.paperAccount}</h2>
      <p className="form-note">{paperTexts.reset.note}</p>
      <Button danger onClick={() => setOpen(true)}>
        {paperTexts.reset.confirm}
      </Button>
      {isOpen && <ResetPaperDialog bot={bot} onClose={() => setOpen(false)} />}
    </section>
  )
}
