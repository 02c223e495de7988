// The display types of in-app content, which campaigns and the widgets of journeys share.

export const CAMPAIGN_TYPES = [
  'BANNER',
  'MODAL',
  'FULLSCREEN',
  'SLIDE_UP',
  'TOOLTIP',
  'NPS',
  'POLL',
  'QUIZ',
  'RATING',
  'FORM',
  'COUNTDOWN',
] as const;
export type CampaignType = (typeof CAMPAIGN_TYPES)[number];
