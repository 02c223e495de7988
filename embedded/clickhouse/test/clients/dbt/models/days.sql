{{ config(materialized='table', engine='MergeTree()', order_by='day') }}
select toDate('2024-01-01') + number as day, number as visits from numbers(10)
