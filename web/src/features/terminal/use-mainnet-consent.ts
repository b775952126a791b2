import { Modal } from 'antd'
import { useDispatch, useSelector } from 'react-redux'
import { mainnetAllowed, selectAsksForMainnet } from './terminal-slice.ts'
import { terminalTexts } from './texts.ts'
import { useBots } from './use-bots.ts'

/** Asks, once per session, before a Quick Action trades with real money; the question is to be drawn. */
export function useMainnetConsent() {
  const asks = useSelector(selectAsksForMainnet)
  const bots = useBots()
  const dispatch = useDispatch()
  const [modal, question] = Modal.useModal()
  async function mayTrade(named: readonly string[]) {
    const real = bots.filter(({ label, network }) => network === 'mainnet' && named.includes(label))
    if (!asks || real.length === 0) return true
    const isAllowed = await modal.confirm({
      title: terminalTexts.mainnet.title,
      content: terminalTexts.mainnet.note(real.map(({ label }) => label).join(', ')),
      okText: terminalTexts.execute,
      cancelText: terminalTexts.reconsider,
      okButtonProps: { danger: true },
    })
    if (isAllowed) dispatch(mainnetAllowed())
    return isAllowed
  }
  return { mayTrade, question }
}
