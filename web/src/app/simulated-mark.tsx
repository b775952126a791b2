import { siteWord } from '../shared/site-word.ts'
import { texts } from '../shared/texts.ts'

/** Says on every screen that no bot of this installation reaches a real exchange, where that is so. */
export function SimulatedMark() {
  if (siteWord('venues') !== 'paper') return null
  const {
    simulated: [simulated, exchanges],
    simulatedNote,
  } = texts.shell
  return (
    <span className="simulated-mark" title={simulatedNote}>
      {simulated}
      <span className="simulated-what"> {exchanges}</span>
      <span className="visually-hidden">: {simulatedNote}</span>
    </span>
  )
}
