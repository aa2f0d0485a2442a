import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import software.amazon.awssdk.enhanced.dynamodb.extensions.annotations.DynamoDbAtomicCounter;
import software.amazon.awssdk.enhanced.dynamodb.extensions.annotations.DynamoDbVersionAttribute;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbSecondaryPartitionKey;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbSecondarySortKey;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbSortKey;

/** An item as the Enhanced client maps it. */
@DynamoDbBean
public class Booking {
    private String guest;
    private Integer id;
    private String room;
    private Instant arrival;
    private BigDecimal price;
    private Set<String> wishes;
    private List<Map<String, Integer>> extras;
    private Boolean paid;
    private Long version;
    private Long changes;

    @DynamoDbPartitionKey
    public String getGuest() {
        return guest;
    }

    public void setGuest(String guest) {
        this.guest = guest;
    }

    @DynamoDbSortKey
    public Integer getId() {
        return id;
    }

    public void setId(Integer id) {
        this.id = id;
    }

    @DynamoDbSecondaryPartitionKey(indexNames = "by_room")
    public String getRoom() {
        return room;
    }

    public void setRoom(String room) {
        this.room = room;
    }

    @DynamoDbSecondarySortKey(indexNames = {"by_room", "by_arrival"})
    public Instant getArrival() {
        return arrival;
    }

    public void setArrival(Instant arrival) {
        this.arrival = arrival;
    }

    public BigDecimal getPrice() {
        return price;
    }

    public void setPrice(BigDecimal price) {
        this.price = price;
    }

    public Set<String> getWishes() {
        return wishes;
    }

    public void setWishes(Set<String> wishes) {
        this.wishes = wishes;
    }

    public List<Map<String, Integer>> getExtras() {
        return extras;
    }

    public void setExtras(List<Map<String, Integer>> extras) {
        this.extras = extras;
    }

    public Boolean getPaid() {
        return paid;
    }

    public void setPaid(Boolean paid) {
        this.paid = paid;
    }

    @DynamoDbVersionAttribute
    public Long getVersion() {
        return version;
    }

    public void setVersion(Long version) {
        this.version = version;
    }

    @DynamoDbAtomicCounter
    public Long getChanges() {
        return changes;
    }

    public void setChanges(Long changes) {
        this.changes = changes;
    }

    private List<Object> fields() {
        return Arrays.asList(guest, id, room, arrival, price, wishes, extras, paid, version, changes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Booking booking && fields().equals(booking.fields());
    }

    @Override
    public int hashCode() {
        return Objects.hash(guest, id);
    }

    @Override
    public String toString() {
        return fields().toString();
    }
}
