import { ActivityPanel } from './activity-panel.tsx'
import { CommunityCard } from './community-card.tsx'
import { ExchangeList } from './exchange-list.tsx'
import { FeatureCards } from './feature-cards.tsx'
import { Hero } from './hero.tsx'
import { landingTexts } from './landing-texts.ts'
import { NoticeBoard } from './notice-board.tsx'
import { PointTiles } from './point-tiles.tsx'
import { SiteFooter } from './site-footer.tsx'
import { SiteHeader } from './site-header.tsx'
import { WaitlistCard } from './waitlist-card.tsx'

/** The first page of a visitor. */
export function LandingPage() {
  return (
    <NoticeBoard>
      <SiteHeader />
      <main id="content" tabIndex={-1}>
        <Hero />
        <div className="columns">
          <FeatureCards />
          <ActivityPanel />
        </div>
        <section className="points" aria-labelledby="points">
          <h2 id="points">{landingTexts.points.heading}</h2>
          <PointTiles />
        </section>
        <ExchangeList />
        <div className="columns">
          <WaitlistCard />
          <CommunityCard />
        </div>
      </main>
      <SiteFooter />
    </NoticeBoard>
  )
}
