// The business types of split vendors that the gateway defines. Add new ones here.

export const MISCELLANEOUS = 'Miscellaneous';

export const VENDOR_BUSINESS_TYPES: readonly string[] = [
  'Aggregators',
  'Chit Funds',
  'FOREX',
  'Food Industry',
  'Gemstone/Diamond',
  'Government',
  'Hemp Products / Herbal Products',
  'Insurance',
  'International Card Acceptance (Goods export)',
  'Jewellery',
  MISCELLANEOUS,
  'Mutual funds/Broking',
  'NBFC',
  'NBFCs / Organizations into Lending',
  'Non Profit / NGO',
  'Online Gaming',
  'Open/Partial Open Wallet',
  'Pharmacy',
  'Professional Services (Doctors, Lawyers, Architects, CAs, and other Professionals)',
  'Travel and Hospitality',
  'Utilities',
  'Web host/Domain seller',
];
