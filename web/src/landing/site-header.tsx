import { paths } from '../shared/paths.ts'
import { BrandMark } from '../ui/brand-mark.tsx'
import { AppLink } from './app-link.tsx'
import { landingTexts } from './landing-texts.ts'
import { ThemeButton } from './theme-button.tsx'

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
        <AppLink href={paths.login} className="button">
          {landingTexts.login}
        </AppLink>
      </div>
    </header>
  )
}
