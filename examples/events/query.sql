select year(time) as year, count(*) as events, sum(cost) as cost, count("from".city) as places
from 'events.parquet'
group by all
order by year;
