/** The texts around the legal documents. */
export const legalTexts = {
  terms: 'Terms of Service',
  privacy: 'Privacy Policy',
  back: 'Back to Home',
  effective: 'Effective date',
  updated: 'Last updated',
  date: 'January 1, 2025',
  contents: 'Contents',
  contact: 'Legal contact',
} as const
