import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const WALLET = graphql(`
  query PartnerWallet {
    wallet {
      creditsBalance { amount currencyCode }
      creditsEarned { amount currencyCode }
      creditsRedeemed { amount currencyCode }
      creditsReserved { amount currencyCode }
      creditsConverted { amount currencyCode }
      creditsPending { amount currencyCode }
      cashBalance { amount currencyCode }
      cashEarned { amount currencyCode }
      cashWithdrawn { amount currencyCode }
      cashInPayout { amount currencyCode }
      debt { amount currencyCode }
      isDormant
      lastActivityAt
    }
    affiliateProfile { kycStatus }
    pendingSchedule {
      totalPending { amount currencyCode }
      releases { releaseDate total { amount currencyCode } transactionCount }
    }
  }
`);

export type WalletData = ResultOf<typeof WALLET>;

export const LEDGER = graphql(`
  query PartnerLedger(
    $kinds: [LedgerTransactionKind!], $since: DateTime, $until: DateTime, $after: String
  ) {
    walletTransactions(first: 20, kinds: $kinds, since: $since, until: $until, after: $after) {
      nodes {
        id kind createdAt
        amount { amount currencyCode }
        entries {
          account
          amount { amount currencyCode }
          balanceAfter { amount currencyCode }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type Transaction = ResultOf<typeof LEDGER>['walletTransactions']['nodes'][number];
export type TransactionKind = Transaction['kind'];
