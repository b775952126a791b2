import { Panel } from '../../ui/panel.tsx'
import { profileTexts } from './texts.ts'

const { coming } = profileTexts

/** The profile's parts that are not there yet. */
export function ComingPanel() {
  return (
    <Panel title={coming.heading}>
      <p>{coming.soon}</p>
      <p className="quiet">{coming.note}</p>
    </Panel>
  )
}
