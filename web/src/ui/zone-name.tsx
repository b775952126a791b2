import { texts } from '../shared/texts.ts'
import { useZone } from '../shared/zone.ts'

/** Says once for a list by whose clock its times are. */
export function ZoneName() {
  return (
    <span className="quiet small" title={texts.zone.note}>
      {texts.zone.name(useZone())}
    </span>
  )
}
