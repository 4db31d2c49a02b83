-- SPDX-License-Identifier: MIT
create table orders as with recursive n(x) as (select 1 union all select x + 1 from n
	where x < 1200000) select x as id, x * 7919 % 20011 as customer, x % 97 as total from n;
select count(*), max(spent) from (select customer, sum(total) as spent from orders group by customer);
select avg(total), max(id) from orders where id % 7 = 3;
