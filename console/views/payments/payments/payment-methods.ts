// The gateway has a name for each kind of UPI payment, card and so on; people choose by what they are.

type MethodGroup = {
  readonly value: string;
  readonly label: string;
  /** The gateway's names. */
  readonly methods: readonly string[];
};

export const METHOD_GROUPS: readonly MethodGroup[] = [
  {
    value: 'upi',
    label: 'UPI',
    methods: ['upi', 'upi_credit_card', 'upi_ppi', 'upi_ppi_offline'],
  },
  {
    value: 'card',
    label: 'Card',
    methods: [
      'card',
      'credit_card',
      'debit_card',
      'prepaid_card',
      'credit_card_emi',
      'debit_card_emi',
    ],
  },
  { value: 'net_banking', label: 'Net banking', methods: ['net_banking'] },
  { value: 'wallet', label: 'Wallet', methods: ['wallet', 'paypal'] },
  { value: 'pay_later', label: 'Pay later', methods: ['pay_later', 'cardless_emi'] },
  { value: 'bank_transfer', label: 'Bank transfer', methods: ['bank_transfer'] },
  { value: 'nach', label: 'NACH mandate', methods: ['enach', 'pnach'] },
  { value: 'cash', label: 'Cash', methods: ['cash'] },
];
