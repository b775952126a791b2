import { texts } from '../shared/texts.ts'
import { BrandMark } from './brand-mark.tsx'

/** The product's mark and name. */
export function Brand() {
  return (
    <span className="brand">
      <BrandMark />
      {texts.brand}
    </span>
  )
}
