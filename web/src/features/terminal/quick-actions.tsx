import { Button, Flex } from 'antd'
import { useDispatch, useSelector } from 'react-redux'
import { useAccounts } from '../../ui/accounts/use-accounts.ts'
import { quickActionsOf } from './templates.ts'
import { quickActionChosen, selectLabel } from './terminal-slice.ts'
import { terminalTexts } from './texts.ts'
import { useBots } from './use-bots.ts'

/** Ready messages for the selected bot; choosing one fills the editor. */
export function QuickActions({ onChoose }: { onChoose: (message: string) => void }) {
  const label = useSelector(selectLabel)
  const bot = useBots().find((each) => each.label === label)
  const account = useAccounts().accounts?.find((each) => each.label === label)
  const dispatch = useDispatch()
  function choose(message: string) {
    dispatch(quickActionChosen(message))
    onChoose(message)
  }
  return (
    <section className="quick-actions" aria-label={terminalTexts.quickActions}>
      <h3 className="subheading">{terminalTexts.quickActions}</h3>
      {bot === undefined && <p className="quiet">{terminalTexts.selectKey}</p>}
      {bot !== undefined && (
        <Flex wrap gap={6}>
          {quickActionsOf(bot, account?.statement ?? undefined).map(({ title, tone, message }) => (
            <Button
              key={title}
              size="small"
              className={`quick-action status-${tone}`}
              onClick={() => choose(message)}
            >
              {title}
            </Button>
          ))}
        </Flex>
      )}
    </section>
  )
}
