-- The document of a proof may be at an http address, too.
ALTER TABLE deal_proofs
  DROP CONSTRAINT deal_proofs_document_url_check,
  ADD CONSTRAINT deal_proofs_document_url_check CHECK (document_url ~ '^https?://');
