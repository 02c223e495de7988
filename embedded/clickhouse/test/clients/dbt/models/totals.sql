{{ config(materialized='incremental', engine='MergeTree()', order_by='day', unique_key='day') }}
select day, visits * 2 as total from {{ ref('days') }}
{% if is_incremental() %}
union all
select toDate('2024-02-01') as day, 1000 as total
{% endif %}
