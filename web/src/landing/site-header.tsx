import { paths } from '../shared/paths.ts'
import { BrandMark } from '../ui/brand-mark.tsx'
import { landingTexts } from './landing-texts.ts'
import { ThemeButton } from './theme-button.tsx'
import { WayIn } from './way-in.tsx'

/** The bar above the landing page. */
export function SiteHeader() {
  return (
    <header className="site-header">
      <a className="skip-link" href="#content">
        {landingTexts.skipToContent}
      </a>
      <div className="site-header-row">
        <a href={paths.landing} className="site-brand">
          <BrandMark />
          {landingTexts.brand}
        </a>
        <span className="site-space" />
        <ThemeButton />
        <WayIn />
      </div>
    </header>
  )
}
