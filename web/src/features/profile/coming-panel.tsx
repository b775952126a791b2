import { Panel } from '../../ui/panel.tsx'
import { profileTexts } from './texts.ts'

const { coming } = profileTexts

/** What the profile cannot do yet. */
export function ComingPanel() {
  return (
    <Panel title={coming.heading}>
      <p>{coming.soon}</p>
      <p className="quiet">{coming.note}</p>
    </Panel>
  )
}
